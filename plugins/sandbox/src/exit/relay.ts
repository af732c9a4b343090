import {spawn} from 'node:child_process';
import {createConnection, createServer, type Socket} from 'node:net';
import self, {argv, exit, kill, pid, stderr} from 'node:process';

/**
 * Runs inside the sandbox, with a port, the socket of the exit, a program and its arguments. Leads connections to that
 * port of loopback to the socket, and ends as the program ends.
 */
export function relay([port = '', path = '', file = '', ...words]: readonly string[] = argv.slice(1)): void {
  const join = (one: Socket, other: Socket): void => {
    one.on('error', () => other.destroy()).on('close', () => other.destroy());
    one.pipe(other);
  };
  const server = createServer({allowHalfOpen: true}, (inner) => {
    const outer = createConnection({path, allowHalfOpen: true});
    join(inner, outer);
    join(outer, inner);
  });
  server.on('error', (error) => fail(error.message));
  server.listen(Number(port), '127.0.0.1', () => {
    const child = spawn(file, words, {stdio: 'inherit'});
    child.once('error', (error) => fail(error.message));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) self.on(signal, () => void child.kill(signal));
    child.once('exit', (code, signal) => {
      if (signal === null) exit(code ?? 1);
      self.removeAllListeners(signal);
      kill(pid, signal);
    });
  });
}

function fail(message: string): never {
  stderr.write(`The way out of the sandbox cannot be opened: ${message}\n`);
  exit(125);
}
