"""Files stored in the database, where a site has no folder that all its machines share."""

from django.db import models


class StoredFile(models.Model):
    """A bot's source or a replay by its name."""

    name = models.CharField(max_length=200, primary_key=True)
    content = models.BinaryField()
    written_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.name
