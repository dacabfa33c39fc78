"""The web process: `gunicorn ladder.wsgi`."""

from django.core.wsgi import get_wsgi_application

from ladder import environment

environment.load()
application = get_wsgi_application()
