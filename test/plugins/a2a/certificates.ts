import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {request} from 'node:https';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';

const run = promisify(execFile);

/** A certificate and its key, as paths and as text. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
  readonly text: {readonly cert: string; readonly key: string};
}

/** An authority of a test, made with openssl. */
export interface Authority extends AsyncDisposable {
  readonly ca: string;
  readonly text: string;
  /** A certificate of the authority; with `alone`, one that it did not sign. */
  make(name: string, names?: string, alone?: boolean): Promise<Pair>;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export async function makeAuthority(): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-a2a-tls-'));
  const at = (name: string): string => join(folder, name);
  const openssl = (...words: readonly string[]) => run('openssl', words, {cwd: folder});
  await openssl('req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=authority');
  return {
    ca: at('ca.pem'),
    text: await readFile(at('ca.pem'), 'utf8'),
    async make(name, names = `DNS:${name}`, alone = false) {
      const [cert, key] = [at(`${name}.pem`), at(`${name}.key`)];
      const subject = ['-subj', `/CN=${name}`, '-keyout', key];
      if (alone) await openssl('req', '-x509', ...KEY, ...subject, '-out', cert, '-days', '2');
      else {
        await writeFile(at(`${name}.ext`), `subjectAltName=${names}\n`);
        await openssl('req', ...KEY, ...subject, '-out', `${name}.csr`);
        const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', `${name}.ext`];
        await openssl('x509', '-req', '-in', `${name}.csr`, '-out', cert, ...sign);
      }
      return {cert, key, text: {cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8')}};
    },
    [Symbol.asyncDispose]: () => rm(folder, {recursive: true, force: true}),
  };
}

interface Sent {
  readonly authority: Authority;
  readonly headers?: Readonly<Record<string, string>>;
  readonly own?: Pair;
  readonly body?: unknown;
}

/** The status and the body of a request over TLS; why there is none, where the connection is refused. */
export function send(url: string, {authority, headers = {}, own, body}: Sent): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      {
        method: body === undefined ? 'GET' : 'POST',
        ...{ca: authority.text, ...own?.text, agent: false, servername: 'localhost'},
        headers: {'content-type': 'application/json', 'a2a-version': '1.0', ...headers},
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(`${response.statusCode} ${Buffer.concat(chunks).toString()}`));
      },
    );
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(`refused: ${error.code ?? error.message}`));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
