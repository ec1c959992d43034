#!/bin/sh
# Syntax, style and tests, with PHP, PHP_CodeSniffer and PHPUnit from the PATH (Debian: php-cli php-curl php-codesniffer phpunit).
set -eu
cd "$(dirname "$0")"
find . -name '*.php' -not -path './build/*' -print0 | xargs -0 -n1 php -l > /dev/null
phpcs
phpunit
