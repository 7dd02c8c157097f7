set -e
php artisan migrate --force
php artisan seedbed:up
