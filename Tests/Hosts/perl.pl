use strict;
use warnings;
use DBI;
$| = 1;
my ($database, $extension, $catalog, $options) = @ARGV;
my $app = DBI->connect("dbi:SQLite:$database", "", "", {RaiseError => 1, PrintError => 0});
$app->sqlite_enable_load_extension(1);
$app->sqlite_load_extension($extension);
$app->sqlite_enable_load_extension(0);
my $up = "SELECT seedbed_up(?, ?) ->> 'outcome'";
print $app->selectrow_array($up, undef, $catalog, $options), "\n";
while (my $statement = <STDIN>) {    # The app goes on.
    my ($value) = $app->selectrow_array($statement);
    print "$value\n" if defined $value;
}
