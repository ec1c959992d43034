#!/bin/sh
# Checks the plugin: php-cli, php-mysql, phpunit, php-codesniffer and mariadb-server of Debian, and the WordPress Coding Standards if WPCS names what phpcs calls its installed_paths.
set -eu
cd "$(dirname "$0")"
find . -name '*.php' -exec php -l {} \; | grep -v '^No syntax errors' && exit 1
phpunit --do-not-cache-result --bootstrap tests/bootstrap.php tests
if [ -n "${WPCS:-}" ]; then "${PHPCS:-phpcs}" --runtime-set installed_paths "$WPCS" --standard=phpcs.xml.dist; else echo 'WPCS is not set: the coding standards were not checked'; fi
