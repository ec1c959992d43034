#!/bin/sh
# A real shop on loopback: shop.sh VERSION SOURCES FOLDER PORT, with VERSION 3 or 4 and SOURCES the folder `upload`
# of OpenCart's own release. MariaDB, PHP-FPM and nginx from Debian; stop it with: kill $(cat FOLDER/*.pid)
set -eu
version=$1 sources=$2 folder=$3 port=$4
here=$(cd "$(dirname "$0")" && pwd)
shop="$folder/shop"
mkdir -p "$folder" && chmod 755 "$folder"
cp -R "$sources" "$shop"
touch "$shop/config.php" "$shop/admin/config.php"
cp "$here/catalog-$version.php" "$shop/catalog/controller/trial.php"
cp "$here/TrialShop.php" "$shop/system/TrialShop.php"

mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$folder/data" --auth-root-authentication-method=normal > "$folder/install.log" 2>&1
mariadbd --no-defaults --user="$(id -un)" --datadir="$folder/data" --socket="$folder/db.sock" --bind-address=127.0.0.1 \
  --port=$((port + 1)) --pid-file="$folder/db.pid" > "$folder/db.log" 2>&1 &
sql() { mariadb --no-defaults --socket="$folder/db.sock" --user=root --default-character-set=utf8mb4 "$@"; }
until sql -e 'SELECT 1' > /dev/null 2>&1; do sleep 0.5; done
sql -e "CREATE DATABASE opencart; CREATE USER shop@'127.0.0.1' IDENTIFIED BY 'shop'; CREATE USER shop@localhost IDENTIFIED BY 'shop';
  GRANT ALL ON opencart.* TO shop@'127.0.0.1'; GRANT ALL ON opencart.* TO shop@localhost"

cd "$shop/install"
# The installer of 3.0 declares its error handler as PHP 7 called it.
sed -i 's/, array $errcontext) {/, array $errcontext = []) {/' cli_install.php
language=$([ "$version" = 4 ] && echo '--language en-gb' || true)
php cli_install.php install --db_hostname 127.0.0.1 --db_username shop --db_password shop --db_database opencart \
  --db_driver mysqli --db_port $((port + 1)) --db_prefix oc_ --username admin --password admin-trial-1 \
  --email admin@shop.example --http_server "http://127.0.0.1:$port/" $language >> "$folder/install.log" 2>&1
cd "$folder" && rm -rf "$shop/install"
sql opencart < "$here/prepare.sql"
if [ "$version" = 3 ]; then sql opencart < "$here/prepare-3.sql"; else sql opencart < "$here/prepare-4.sql"; fi
chmod -R a+rwX "$shop"

cat > "$folder/fpm.conf" <<END
[global]
pid = $folder/fpm.pid
error_log = $folder/fpm.log
[www]
listen = $folder/fpm.sock
user = www-data
group = www-data
listen.mode = 0666
pm = static
pm.max_children = 6
php_admin_value[error_log] = $folder/php.log
END
php-fpm8.2 --allow-to-run-as-root --fpm-config "$folder/fpm.conf"
cat > "$folder/nginx.conf" <<END
pid $folder/nginx.pid;
error_log $folder/nginx.log;
events {}
http {
  include /etc/nginx/mime.types;
  access_log off;
  client_max_body_size 20m;
  client_body_temp_path $folder/tmp-body;
  fastcgi_temp_path $folder/tmp-fastcgi;
  proxy_temp_path $folder/tmp-proxy;
  uwsgi_temp_path $folder/tmp-uwsgi;
  scgi_temp_path $folder/tmp-scgi;
  server {
    listen 127.0.0.1:$port;
    root $shop;
    index index.php;
    location ~ \.php\$ {
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name;
      fastcgi_read_timeout 120;
      fastcgi_pass unix:$folder/fpm.sock;
    }
  }
}
END
nginx -c "$folder/nginx.conf"
echo "http://127.0.0.1:$port/admin/ admin admin-trial-1"
