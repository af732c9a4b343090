import fc from 'fast-check';

/** Pieces of shell text, put together without any sense: most of it is no shell, some of it is read in surprising ways. */
const PIECES = [
  'git', 'ls', 'rm', 'x', 'a.txt', '-l', ' ', ' ', ' ', ' ', '\n', '\t', ';', '&', '|', '&&', '||', '(', ')', '{ ', ' }', '; }', '<', '>', '>>', '2>&1', '<<E', "<<'E'", '<<-E', '\nE\n', 'E', '<<<',
  '$(', '`', '"', "'", '\\', '$', '${', '}', '$x', '"$x"', 'x=', 'x=rm', '$((', '))', '((', '[[', ']]', '[', ']', '=', '==', '=~', '*', '?', '~', '#', ' #', '!', '! ', ',', '{a,b}', '..', "$'", '$"', '\\\n',
  'if ', '; then ', ' fi', 'for x in ', '; do ', ' done', 'while ', 'case x in ', ' esac', ';;', ';&', 'x)', 'function f ', 'f() ', 'f', 'time ', 'coproc ', 'select ', '<(', '>(', '|&', '&>', '1', '@', '%', '^', '+',
  'eval ', 'env ', 'command ', 'exec ', 'bash -c ', 'sh -c ', 'xargs ', 'timeout 1 ', 'nice ', 'find . -exec ', ' \\;', ' {} ', '+', 'alias ', 'trap ', ' EXIT', 'cd sub', 'cd ..', 'export ', 'declare ', 'read ', 'unset ', 'printf -v ', 'let ',
  ':-', '//', '##', '%%', '!x', '@P', '-', '--', 'é', ' ',
];

export const nonsense = fc.array(fc.constantFrom(...PIECES), {minLength: 1, maxLength: 14}).map((pieces) => pieces.join(''));

const {line} = fc.letrec<{line: string; word: string; command: string}>((tie) => ({
  word: fc.oneof(
    {maxDepth: 4},
    fc.constantFrom('a.txt', '-l', 'x y', '"x y"', "'x;y'", 'x\\ y', '$x', '"$x"', '${x:-rm}', '*.txt', '{a,b}', '~', "$'\\x72m'", '#x', 'a#b', '""', '-c', 'rm', '\\;', '"`ls`"', '$((1+2))', '"\\""', '${x%.*}', "'a'\\''b'", '@{u}', 'x=1', '!', '{}', '[x]'),
    tie('line').map((inner) => `$(${inner})`),
    tie('line').map((inner) => `"$(${inner})"`),
    tie('line').map((inner) => `\`${inner}\``),
    tie('line').map((inner) => `<(${inner})`),
    tie('line').map((inner) => `'${inner}'`),
    tie('line').map((inner) => `"${inner}"`),
    tie('line').map((inner) => `\${x:-$(${inner})}`),
  ),
  command: fc.oneof(
    {maxDepth: 4},
    fc.tuple(fc.constantFrom('git', 'ls', 'git log', 'ls -l', '\\rm', 'rm', "r'm'", '"git"', 'g{i,}t', '$x', 'l\\s', 'x=1 git', 'x=rm', 'git -c user.name=a', 'git -C sub'), fc.array(tie('word'), {maxLength: 3})).map(([name, words]) => [name, ...words].join(' ')),
    fc.tuple(fc.constantFrom('eval', 'env', 'env -i', 'env x=1', 'command', 'exec', 'timeout 1', 'nice -n 1', 'nohup', 'xargs', 'xargs -I{}', 'builtin', 'time', '!', 'command --', 'env --'), tie('command')).map(([name, inner]) => `${name} ${inner}`),
    fc.tuple(fc.constantFrom('bash -c', 'sh -c', 'bash -lc', 'eval', "bash -e -c"), tie('line'), fc.constantFrom("'", '"')).map(([name, inner, quote]) => `${name} ${quote}${inner}${quote}`),
    tie('command').map((inner) => `find . -maxdepth 0 -exec ${inner} \\;`),
    fc.tuple(fc.constantFrom('<<E', "<<'E'", '<<-E', '<<"E"'), fc.constantFrom('cat', 'bash', 'git log', 'ls'), tie('line')).map(([mark, name, inner]) => `${name} ${mark}\n${inner}\nE\n`),
    tie('line').map((inner) => `bash <<< '${inner}'`),
    tie('line').map((inner) => `trap '${inner}' EXIT`),
    tie('line').map((inner) => `alias ls='${inner}'`),
  ),
  line: fc.oneof(
    {maxDepth: 4},
    tie('command'),
    fc.tuple(tie('command'), fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', ';', '&&', '|', ' |& ', ' # '), tie('line')).map((parts) => parts.join('')),
    tie('line').map((inner) => `(${inner})`),
    tie('line').map((inner) => `{ ${inner}; }`),
    tie('line').map((inner) => `if ${inner}; then git; else ${inner}; fi`),
    tie('line').map((inner) => `for x in a rm; do ${inner}; done`),
    tie('line').map((inner) => `case rm in git|ls) ${inner};; (r*) ${inner};; esac`),
    tie('line').map((inner) => `f() { ${inner}; }; f rm`),
    tie('line').map((inner) => `ls() { ${inner}; }; ls`),
    tie('line').map((inner) => `${inner} > out.txt`),
    tie('line').map((inner) => `${inner} 2>&1`),
    tie('line').map((inner) => `cd sub && ${inner}`),
    tie('line').map((inner) => `[[ -n $(${inner}) ]] && git`),
  ),
}));

/** Lines that are shell for the most part: commands, wrappers, quotes and compounds within each other. */
export const sensible = line;

/** A line that is shell, and then one piece of nonsense somewhere in it. */
export const disturbed = fc.tuple(sensible, fc.constantFrom(...PIECES), fc.double({min: 0, max: 1, noNaN: true})).map(([text, piece, at]) => {
  const place = Math.floor(at * text.length);
  return text.slice(0, place) + piece + text.slice(place);
});

const CHARACTERS = [
  '\\', '\\', "'", "'", '"', '"', '$', '{', '}', '}', 'x', 'x', ' ', ' ', "$'", '$"', '${x:-', '${x:+', '${x#', '${x%%', '${x/', '/', '${#x}', '${x}', '`', '$(ls)', '`ls`', '~', '#', '*', '=', '!', 'é', ';', '\\"', "\\'", '\\\n', '$((1))', '\n', '@', '[', ']', 'rm', '&', '|', ',', '..', '\\x72', '1',
  '<<E\n', "<<'E'\n", '<<-E\n', '\nE\n', '\n\tE\n', 'E', '\t', '<<<', '>',
];

/** One command with operands in which quotes, escapes and expansions meet as they will. */
export const quoted = fc.array(fc.constantFrom(...CHARACTERS), {minLength: 1, maxLength: 12}).map((pieces) => `git ${pieces.join('')}`);

const HOSTILE = ["'a[$(rm y)]'", "'a[`rm y`]'", '"a[\\$(rm y)]"', "'-v a[$(rm y)]'", "'$(rm y)'", "'x[$(rm y)]=1'"];
const SOURCES = [
  'x=@', 'y=@; x=$y', 'y=@; x="$y"', 'x=(@)', 'x+=@', 'declare x=@', 'export x=@', 'readonly x=@', 'read x <<< @', 'IFS= read -r x <<< @', 'read -ra x <<< @', 'mapfile -t x <<< @', 'printf -v x %s @', 'for x in @; do :; done',
  'set -- @; x=$1', 'f() { x=$1; }; f @', 'f() { local z=$1; x=$z; }; f @', 'x=$(cat <<< @)', 'y=@; x=${y}', 'y=@; x=${z:-$y}', 'y=@; x=${y%q}', 'y=(1 @); x=${y[1]}', ': ${x:=@}', 'while read x; do break; done <<< @', 'x=@ true; x=@', 'y=x; x=@', 'declare -n x=y; y=@', 'eval x=@',
];
const USES = [
  'git $((x))', 'w=1; x1=$x; ((x$w))', 'w=1; x1=$x; z=x$w; ((z))', 'w=qx; z=${w#q}; ((z))', 'declare -A m=(["$x"]=1); for k in "${!m[@]}"; do ((k)); done', 'git $((x))', '((x))', '((x++))', 'let x', 'let "z=$x"', 'let z=x+1', '[[ x -eq 1 ]]', '[[ $x -eq 1 ]]', '[[ 1 -lt $x ]]', 'git ${z[x]}', 'git ${z[$x]}', 'git "${z[$x]}"', 'git ${#z[x]}', 'git ${z:x}', 'git ${z:$x:1}', 'git ${z:0:x}', 'git ${z[@]:x}', 'z[$x]=1', 'z[x]=1', 'z=([$x]=1)', 'z=([x]=1)', 'z+=([x]=1)',
  'declare -i z=$x', 'declare -i z=x', 'declare -i x; x+=1', 'declare -i z; z=$x', 'test -v "$x"', '[ -v $x ]', '[ $x ]', '[ "$x" ]', 'test $x = 1', 'test "$x" = 1', '[ "$x" "$y" ]', '[[ -v $x ]]', '[[ -v x ]]', '[[ $x ]]', '[[ $x == 1 ]]', 'unset "$x"', 'unset $x', 'printf -v "$x" y', 'printf %d "$x"', 'printf "%*d" "$x" 1', 'printf $x',
  'read "$x" <<< 1', 'read -t $x y <<< 1', 'read $x <<< 1', 'declare "$x=1"', 'declare "$x"', 'export "$x"', 'readonly $x', 'local $x', 'for ((i=x; i<1; i++)); do break; done', 'for ((;x;)); do break; done', 'case $((x)) in 1) git;; esac', 'git ${!x}', 'git ${x@P}', 'git ${x@Q}', 'git {1..$x}', 'exec {x}>&1', 'exec {z}>&$x',
  'SECONDS=$x', 'RANDOM=$x', 'OPTIND=$x', 'LINENO=$x', 'shift $x', 'exit $x', 'ulimit -n $x', 'wait $x', 'wait -n -p "$x"', 'mapfile "$x" <<< 1', 'mapfile -n $x z <<< 1', 'getopts a "$x" -a', 'git $[x]', 'git $(( $x + 1 ))', 'git $(( ${x} + 1 ))', 'git $(( z[x] ))', 'git $(( z[$x] ))', '(( z[x]++ ))', 'git "$((x))"', 'git <<< $((x))', 'git > $((x))',
  'git <<E\n$((x))\nE', 'git ${z:-$((x))}', 'x=$((x))', 'return $x', 'trap $x EXIT', 'eval $x', 'git $x', '$x', 'alias $x', 'hash $x', 'type $x', 'cd $x', 'umask $x', '[[ $x -nt a ]]', '[[ -t $x ]]', '[ -t $x ]', '[ $x -eq 1 ]', '[ 1 -eq "$x" ]', 'git ${z/$x/1}', 'git ${x^^}', 'git ${x:-1}', 'git ${!x*}', 'git ${!z[x]}', 'git "${!z[@]}"', 'declare -p $x', 'compgen -W "$x"', 'set -- $x',
  'HISTCMD=$x', 'break $x', 'kill $x', 'history $x', 'bind $x', 'local -i z=$x', 'typeset -i x', 'y=$x; ((y))', 'y=${x:-1}; ((y))', 'y=x; ((y))', 'git $((`cat <<< $x`))', 'git $(($(cat <<< $x)))', 'for i in $x; do ((i)); done', 'for i in "$x"; do [[ $i -gt 0 ]]; done', 'f() { (( $1 )); }; f "$x"', 'f() { local n=$1; (( n )); }; f "$x"', 'z=$x[1]; ((z))',
];

/** A hostile value that comes to a variable by some way, and something that may look into it. */
export const hostile = fc
  .tuple(fc.constantFrom(...SOURCES), fc.constantFrom(...HOSTILE), fc.constantFrom(...USES), fc.constantFrom('; ', '\n', ' && '))
  .map(([source, value, use, joint]) => `${source.replaceAll('@', () => value)}${joint}${use}`);
