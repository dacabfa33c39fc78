from django.apps import AppConfig


class LadderConfig(AppConfig):
    name = "ladder"
    verbose_name = "Ladle"

    def ready(self) -> None:
        from ladder.jobs import checks  # noqa: F401  registers the system checks
        from ladder.jobs.celery import app  # noqa: F401  so that tasks bind to our app
        from ladder.services import sessions  # noqa: F401  notes who signs in
