"""Questions that read: each is asked here once, for the site, the API and the jobs."""
