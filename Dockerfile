# One image for web, worker and scheduler; docker-compose.yml says which command each runs.
# `make image` follows these steps without Docker, on a bare Debian of its own making.
FROM debian:bookworm-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-venv bubblewrap \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /srv/ladle --shell /usr/sbin/nologin ladle \
    && mkdir -p /srv/ladle /var/lib/ladle/media \
    && chown -R ladle:ladle /var/lib/ladle

WORKDIR /srv/ladle
COPY requirements.lock ./
RUN python3 -m venv /srv/venv && /srv/venv/bin/pip install --no-cache-dir -q --require-hashes --no-deps -r requirements.lock
ENV PATH=/srv/venv/bin:$PATH
COPY pyproject.toml setup.py README.md CHANGELOG.md manage.py ./
COPY engine engine
COPY sandbox sandbox
COPY ladder ladder
COPY templates templates
COPY docs docs
RUN pip install --no-cache-dir -q --no-deps --no-build-isolation -e .
COPY package.json package-lock.json .npmrc ./
RUN npm ci --silent --omit=dev && npm run build --silent && rm -rf node_modules /root/.npm

ENV PYTHONUNBUFFERED=1 \
    LADLE_VAR=/var/lib/ladle \
    LADLE_MEDIA=/var/lib/ladle/media \
    LADLE_RUNTIME=/run/ladle
# The secret only lets the settings load; nothing is signed with it. The bots' runtime is not part of
# the image: each worker builds it in memory, where the compose file mounts a tmpfs.
RUN SECRET_KEY=build python manage.py collectstatic --noinput -v0

USER ladle
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
CMD ["sh", "-c", "python manage.py prepare --no-demo && exec gunicorn ladder.wsgi --bind 0.0.0.0:8000 --workers 2 --threads 4"]
