"""Pages for frames on other sites, and what tells those sites about them (oEmbed)."""
