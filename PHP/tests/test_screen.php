<?php

declare(strict_types=1);

// Administrators at the page of conflicts, which PHP serves as it is, but for who may look.
require getcwd() . '/vendor/autoload.php';
require __DIR__ . '/support.php';

$catalog = getenv('SEEDBED_CATALOG');
$db = new Seedbed\Database('app.sqlite', $catalog);
$db->up(to: 2);
$sql = fn (string $statement) => run('sqlite3', 'app.sqlite', $statement);
$sql("UPDATE elements SET name = '<b>' || number || '</b>' WHERE number IN (113, 115)");
$sql('DELETE FROM elements WHERE number = 117');
$db->up(to: 3);
$page = file_get_contents(__DIR__ . '/../screen/conflicts.php');
file_put_contents('index.php', str_replace("__DIR__ . '/Migrations'", "'$catalog'", $page));
$socket = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($socket, false);
fclose($socket);
$quiet = ['file', '/dev/null', 'w'];
$server = proc_open([PHP_BINARY, '-S', $address], [1 => $quiet, 2 => $quiet], $pipes);
register_shutdown_function(fn () => proc_terminate($server));

$cookie = '';
/** The page as a browser has it, after a form if there is one. */
function ask(array $form = [], int $code = 200, string $query = ''): DOMXPath
{
    global $address, $cookie;
    $header = "Content-Type: application/x-www-form-urlencoded\r\nCookie: $cookie\r\n";
    $options = ['method' => $form ? 'POST' : 'GET', 'content' => http_build_query($form),
                'header' => $header, 'ignore_errors' => true, 'timeout' => 60];
    $context = stream_context_create(['http' => $options]);
    $tries = 0;
    while (($text = @file_get_contents("http://$address/$query", false, $context)) === false) {
        same(true, ++$tries < 200, 'the page answers');
        usleep(50_000);
    }
    foreach ($http_response_header as $line) {
        $cookie = preg_match('/^Set-Cookie: ([^;]+)/i', $line, $match) ? $match[1] : $cookie;
    }
    same($code, (int) explode(' ', $http_response_header[0])[1], $text);
    $document = new DOMDocument();
    $document->loadHTML('<?xml encoding="utf-8">' . $text, LIBXML_NOERROR);
    return new DOMXPath($document);
}

/** Presses a button of the row with this key; what the page says then. */
function press(int $key, string $button, DOMXPath $page, string $query = ''): string
{
    $form = $page->query("//form[h2='elements $key']")->item(0);
    $fields = ['to' => $button];
    foreach ($page->query('.//input', $form) as $input) {
        $fields[$input->getAttribute('name')] = $input->getAttribute('value');
    }
    return ask($fields, query: $query)->evaluate('string(//p[@role="status"])');
}

ask(code: 403);
file_put_contents('index.php', str_replace(
    '$maySettle = false', '$maySettle = true', file_get_contents('index.php')));
sleep(2 * (int) (bool) ini_get('opcache.enable_cli'));
$old = ask();
same(3, $old->query('//form')->length, 'rows');
same('<b>113</b>', $old->evaluate('string((//td)[2])'), 'a value is escaped');
same('no row', $old->evaluate('string(//form[h2="elements 117"]//td[2]/em)'));
same(2, $old->query('//form[h2="elements 117"]//button')->length, 'its buttons');
same('Done.', press(113, 'theirs', $old));
matches('/other conflicts now/', press(113, 'mine', $old));
same('Done.', press(115, 'pin', ask()));
ask(['ids' => '3', 'to' => 'theirs'], 403);
same('Done.', press(117, 'theirs', ask()));
same('There are none.', ask()->evaluate('string(//p[@role="status"])'));
same('There are none.', ask(query: '?absent')->evaluate('string(//p[@role="status"])'));
$all = fn () => $sql('SELECT * FROM elements ORDER BY number');
$before = $all();
$sql('DELETE FROM elements WHERE number = 118');
$old = ask(query: '?absent');
same(1, $old->query('//form')->length, 'absent rows');
same('deletedByUser', $old->evaluate('string(//form/p)'));
ask(['row' => '["elements",{"number":118}]'], 403, '?absent');
same('Done.', press(118, 'back', $old, '?absent'));
same($before, $all(), 'all rows, with the one that came back');
matches('/not absent now/', press(118, 'back', $old, '?absent'));
same('Nihonium|<b>115</b>|Tennessine', $sql(
    "SELECT group_concat(name, '|') FROM elements WHERE number IN (113, 115, 117)"));
