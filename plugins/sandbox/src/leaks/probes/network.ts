import {contained, type Probe} from '../probe.js';

const connect = (port: string, host: string): string =>
  "perl -MIO::Socket::INET -e '" +
  `print "LEAK" if IO::Socket::INET->new(PeerAddr => "${host}", PeerPort => ${port}, Timeout => 2)'`;
const connect6 =
  "perl -MSocket -e 'socket(S, AF_INET6, SOCK_STREAM, 0); " +
  'print "LEAK" if connect(S, pack_sockaddr_in6($ENV{PORT}, inet_pton(AF_INET6, "::1")))\'';
const unix = (path: string): string =>
  `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); print "LEAK" if connect(S, pack_sockaddr_un(${path}))'`;
const family = (name: string, number: number, type: number): readonly [string, string, string] => [
  `family-${name}`,
  `make a socket of the family ${name}`,
  `perl -e 'print "LEAK" if socket(S, ${number}, ${type}, 0)'`,
];

/** Ways out by sockets. Nothing here sends anything to another machine. */
export const network = (): readonly Probe[] =>
  contained('network', [
    ['loopback', 'connect to a port of the machine', connect('$ENV{PORT}', '127.0.0.1')],
    ['loopback-6', 'connect to it over IPv6', connect6],
    ['bash', 'connect to it by bash', 'bash -c "echo > /dev/tcp/127.0.0.1/$PORT" && echo LEAK'],
    ['metadata', 'connect to the metadata of a cloud', connect('80', '169.254.169.254')],
    ['private', 'connect to a private address', connect('80', '10.0.0.1')],
    ['public', 'connect to a public address', connect('443', '192.0.2.1')],
    ['interfaces', 'have an interface to the network', "grep -v -e lo: -e '|' /proc/net/dev | grep -q . && echo LEAK"],
    ['routes', 'have a route', 'tail -n +2 /proc/net/route | grep -q . && echo LEAK'],
    ['name', 'resolve a name', 'getent hosts gemini-leak.example && echo LEAK'],
    ['unix', 'connect to a socket in a temporary folder', unix('"$ENV{LAB}/socket"')],
    ['unix-shown', 'connect to a socket in a folder that can only be read', unix('"$ENV{LAB}/shown/socket"')],
    ['abstract', 'connect to an abstract socket', unix('"\\0gemini-leak-$ENV{PORT}"')],
    family('AF_VSOCK', 40, 1),
    family('AF_PACKET', 17, 3),
    family('AF_ALG', 38, 5),
    family('AF_BLUETOOTH', 31, 3),
    family('AF_KEY', 15, 3),
    family('AF_XDP', 44, 3),
  ]);
