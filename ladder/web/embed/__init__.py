"""Pages for frames on other sites, and their descriptions for those sites (oEmbed)."""
