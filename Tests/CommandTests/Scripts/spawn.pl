# Starts a command as a terminal would, waits for it, and writes down how and when it ended.
use strict;
use warnings;
use Config;
use Time::HiRes qw(time);

my ($status, @command) = @ARGV;
my @names = split ' ', $Config{sig_name};

sub put {
    my ($file, $text) = @_;
    open my $out, '>', "$file.new" or die;
    print $out $text;
    close $out;
    rename "$file.new", $file;
}

my $pid = fork;
if ($pid == 0) {
    # A shell makes its background jobs ignore these. IGNORED names those that are to be ignored.
    $SIG{$_} = 'DEFAULT' for qw(INT QUIT);
    $SIG{$_} = 'IGNORE' for split ' ', $ENV{IGNORED} // '';
    exec {$command[0]} @command or die "$command[0]: $!";
}
put("$status.pid", $pid);
waitpid $pid, 0;
my $code = $?;
my $end = time;
put($status, $code & 127 ? 'SIG' . $names[$code & 127] : $code >> 8);
put("$status.time", $end);
