// What Node brings, without its types: they are one more package, for six files.
declare module "node:*";
declare const process: any;
declare const Buffer: any;
declare const console: any;
declare class URL { constructor(url: string, base?: string | URL); href: string; pathname: string; }
declare const require: any;
declare const module: any;
interface ImportMeta { url: string }
