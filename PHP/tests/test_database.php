<?php

declare(strict_types=1);

// One story on each engine and by each interface, and what a caller may do wrong.
// Scripts/checks/test-composer names the sample catalog, the interface that must be found, and a server's
// variables.
require getcwd() . '/vendor/autoload.php';
require __DIR__ . '/support.php';

use Seedbed\Database;

$catalog = getenv('SEEDBED_CATALOG');
$expected = getenv('SEEDBED_EXPECTED');

function story(Database $db, callable $sql): void
{
    $name = fn () => $sql('SELECT name FROM elements WHERE number = 113');
    $seen = [];
    same('applied', $db->up(to: 2, progress: function ($each) use (&$seen) {
        $seen[] = $each;
    })['outcome']);
    same(['fraction', 'phase', 'table', 'rows'], array_keys($seen[0]));
    same(1.0, end($seen)['fraction']);
    $sql("UPDATE elements SET name = 'Bobium, the \"1st\"' WHERE number = 113");
    same('planned', $db->plan(noBackup: true)['outcome']);
    same(4, $db->up(noBackup: true)['to']);
    same(4, $db->status()['current']);
    same([], $db->verify()['findings']);
    $conflict = $db->conflicts(open: true)['conflicts'][0];
    same([['number' => 113], 'edited'], [$conflict['key'], $conflict['kind']]);
    same('editedSeed', $db->origin('elements', 113)['origin']);
    same([$conflict['id']], $db->resolve($conflict['id'], 'seed')['settled']);
    same('Nihonium', $name());
    same([$conflict['id']], $db->resolve([$conflict['id']], 'mine')['settled']);
    same('Bobium, the "1st"', $name());
    same(1, count($db->pin('elements', ['number' => 113])['pinned']));
    same([], $db->unpin('elements', [113])['pinned']);
    $sql('DELETE FROM elements WHERE number = 7');
    $row = $db->absent('elements')['absent'][0];
    same([['number' => 7], 'deletedByUser'], [$row['key'], $row['reason']]);
    same(['elements'], $db->reseed('elements', $row['key'], noBackup: true)['touchedTables']);
    same('upToDate', $db->reseed(missing: true, noBackup: true)['outcome']);
    same([], $db->absent()['absent']);
    same('usage', refused(fn () => $db->reseed('elements'), '/missing: true/')->errorCode);
    same(2, $db->down(2, noBackup: true)['to']);
    same('upToDate', $db->up(to: 2, lockTimeout: 0.5)['outcome']);
    $error = refused(fn () => $db->up(tow: 2), "/'(--)?tow'.* Did you mean '(--)?to'\\?$/");
    same(['usage', true, []], [$error->errorCode, $error->databaseUnchanged, $error->applied]);
    try {
        $db->up(progress: fn () => throw new LogicException('enough'));
    } catch (LogicException) {
        same(2, $db->status()['current']);
    }
    same('applied', $db->up(noBackup: true)['outcome']);
}

/** The app's tables, of which each organization has the labels of the folder. */
function owners(string $folder): string
{
    mkdir("$folder/0001_labels", recursive: true);
    $per = ['table' => 'organizations', 'key' => 'id', 'column' => 'organization_id'];
    $tables = 'CREATE TABLE organizations (id TEXT PRIMARY KEY NOT NULL); CREATE TABLE labels '
        . '(organization_id TEXT NOT NULL REFERENCES organizations, name TEXT NOT NULL, '
        . 'PRIMARY KEY (organization_id, name));';
    $options = ['tables' => ['labels' => ['per' => $per]]];
    file_put_contents("$folder/catalog.json", json_encode($options));
    file_put_contents("$folder/0001_labels/schema.sql", $tables);
    file_put_contents("$folder/0001_labels/labels.csv", "name\nbug\nidea\n");
    return $tables;
}

/** Commands and PHP of a page, in their order; a comment after `echo` is what it prints. */
function play(string $page): void
{
    preg_match_all('/^```(sh|php)\n(.*?)^```/ms', $page, $blocks, PREG_SET_ORDER);
    foreach ($blocks as [, $language, $text]) {
        if ($language === 'sh') {
            run('sh', '-euc', $text);
            continue;
        }
        preg_match_all('~"\\\\n"; // (.*)~', $text, $wanted);
        ob_start();
        eval($text);
        same($wanted[1], array_filter(explode("\n", ob_get_clean())), $text);
    }
}

$tests = [
    'the README' => function () {
        symlink(dirname($GLOBALS['autoload']), 'vendor');
        play(file_get_contents(__DIR__ . '/../README.md'));
    },
    'SQLite, as it is chosen' => function () use ($catalog, $expected) {
        $path = '-ein Pfad, ä.sqlite';
        $db = new Database($path, $catalog);
        same('program', $db->interface(), 'an absent file');
        story($db, fn ($statement) => run('sqlite3', "./$path", $statement));
        same($expected, $db->interface());
        same('program', $db->interface('verify'));
    },
    'SQLite, by the program' => function () use ($catalog) {
        $db = new Database('b.sqlite', $catalog, 'program');
        story($db, fn ($statement) => run('sqlite3', 'b.sqlite', $statement));
        same('program', $db->interface());
    },
    'PostgreSQL' => function () use ($catalog, $expected) {
        run('createdb', "php_$expected");
        $db = new Database("postgresql:///php_$expected", $catalog);
        $words = ['psql', '-XqAt', '-d', "php_$expected", '-c'];
        story($db, fn ($statement) => run(...$words, ...[$statement]));
        refused(fn () => $db->status(database: 'other'), "/'database' is the first argument/");
    },
    'a new owner' => function () use ($expected) {
        $tables = owners('owners');
        run('sqlite3', 'h.sqlite', $tables);
        $db = new Database('h.sqlite', 'owners');
        $db->up();
        $error = refused(fn () => $db->fill(7), "/'organizations' has no row with/");
        same('usage', $error->errorCode);
        run('sqlite3', 'h.sqlite', "INSERT INTO organizations VALUES (7), ('{8}'), ('[9]')");
        same('applied', $db->fill('{8}')['outcome']);
        same('applied', $db->by('program')->fill('[9]', lockTimeout: 1)['outcome']);
        same('applied', $db->fill(7)['outcome']);
        same('upToDate', $db->by($expected)->fill('7')['outcome']);
        same('6', run('sqlite3', 'h.sqlite', 'SELECT count(*) FROM labels'));
        if ($expected === 'extension' && !class_exists(\Pdo\Sqlite::class)) {
            $app = new SQLite3('h.sqlite');
            $app->enableExceptions(true);
            $app->loadExtension('seedbed.so');
            $app->exec('BEGIN; INSERT INTO organizations VALUES (1)');
            $app->querySingle("SELECT seedbed_fill('owners', 1)");
            same(8, $app->querySingle('SELECT count(*) FROM labels'));
            $app->exec('ROLLBACK');
            same(6, $app->querySingle('SELECT count(*) FROM labels'));
        }
    },
    'options of one interface alone' => function () use ($catalog, $expected) {
        $db = new Database('c.sqlite', $catalog);
        $db->up(to: 1);
        if ($expected === 'extension') {
            same('applied', $db->up(to: 2, locked: true)['outcome']);
            refused(fn () => $db->by('extension')->verify(), "/it has no 'verify'/");
        } else {
            refused(fn () => $db->up(locked: true), "/Unknown option '--locked'/");
            refused(fn () => $db->by('extension')->up(), '/extension_dir|no .*seedbed.so/');
        }
        refused(fn () => $db->by('extention'), "/'extention' is no interface/");
        refused(fn () => $db->up(2), '/An option of .up. has no name/');
        refused(fn () => (new Database('c.sqlite', "a\0b"))->status(), '/NUL/');
    },
    'an error in a file' => function () use ($catalog) {
        run('cp', '-r', $catalog, './-bad');
        unlink('-bad/seedbed.lock');
        array_map(unlink(...), glob('-bad/0002_notes/*postgresql*'));
        file_put_contents('-bad/0002_notes/up.sql', "CREATE TABLE notes (id);\nCREATE TABEL x;\n");
        touch('d.sqlite');
        $db = new Database('d.sqlite', '-bad');
        $error = refused(fn () => $db->up(), '/0002_notes.up.sql:2/');
        same(['sql', 2, 2, [1]], [
            $error->errorCode, $error->catalogLine, $error->version, $error->applied]);
    },
    'no catalog, and no file' => function () {
        $error = refused(fn () => (new Database('e.sqlite'))->up(), '/no catalog/');
        same(['catalog', []], [$error->errorCode, glob('*')]);
        refused(fn () => (new Database(':memory:'))->up(), "/':memory:' would be gone/");
    },
    'no program' => function () use ($catalog) {
        $db = new Database('f.sqlite', $catalog, 'program');
        putenv('SEEDBED_PROGRAM=./nowhere');
        refused(fn () => $db->up(), '/no program .* SEEDBED_PROGRAM/');
        putenv('SEEDBED_PROGRAM=/bin/true');
        refused(fn () => $db->up(), '/ended with 0 and no answer/');
        putenv('SEEDBED_PROGRAM');
        $code = "require '$GLOBALS[autoload]'; (new Seedbed\\Database('f', '$catalog'))->up();";
        $said = ends(255, PHP_BINARY, '-d', 'disable_functions=proc_open', '-r', $code);
        matches('/proc_open is disabled/', $said);
    },
    'variables of the command' => function () use ($catalog) {
        putenv('MIGRATE_DATABASE=other.sqlite');
        (new Database('g.sqlite', $catalog))->up();
        putenv('MIGRATE_DATABASE');
        same(['g.sqlite'], glob('*'));
    },
];
$autoload = getcwd() . '/vendor/autoload.php';
foreach ($tests as $name => $test) {
    echo "$name\n";
    in_a_folder($test);
}
