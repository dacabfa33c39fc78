"""What users are told, on the site and by mail."""
