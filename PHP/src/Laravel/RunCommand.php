<?php

declare(strict_types=1);

namespace Seedbed\Laravel;

use Illuminate\Console\Command;
use Seedbed\Database;
use Seedbed\Program;

final class RunCommand extends Command
{
    protected $signature = 'seedbed:run {verb} {words?* : operands, after two dashes options}';
    protected $description = 'Runs the program on the application\'s database: seedbed:run status';

    public function handle(Database $database): int
    {
        [$words, $environment] = Program::arguments(
            $database->path, $database->catalog, config('seedbed.options'));
        $words = [Program::path(), $this->argument('verb'), ...$words, ...$this->argument('words')];
        return proc_close(proc_open($words, [STDIN, STDOUT, STDERR], $pipes, null, $environment));
    }
}
