import {randomBytes} from 'node:crypto';
import {stat} from 'node:fs/promises';
import {readText} from '@gemini-kernel/files';
import {createSecureContext} from 'node:tls';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Address} from './serve-http.js';

/** The flags that are about HTTP, as they were given. */
export interface HttpFlags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly 'token-file'?: string | undefined;
  readonly 'tls-cert'?: string | undefined;
  readonly 'tls-key'?: string | undefined;
  readonly 'allow-plain-http': boolean;
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1']);
const SHORTEST_TOKEN = 20;

/** Where to listen. Throws MCP_SERVE_INVALID for what would let strangers in. */
export async function readAddress(
  flags: HttpFlags,
): Promise<Pick<Address, 'host' | 'port' | 'token' | 'tls'> & {readonly isNewToken: boolean}> {
  const {host = '127.0.0.1', 'token-file': file} = flags;
  const tls = await readTls(flags);
  if (!LOOPBACK.has(host.toLowerCase()) && !tls && !flags['allow-plain-http'])
    throw invalid(
      `--host ${host} can be reached from other machines, and without TLS the token can be read on the way.`,
      'Give --tls-cert and --tls-key, or --allow-plain-http if something in front of it encrypts.',
    );
  const token = file === undefined ? randomBytes(32).toString('base64url') : await readToken(file);
  return {host, port: readPort(flags), token, isNewToken: file === undefined, ...(tls ? {tls} : {})};
}

function readPort({port = '0'}: HttpFlags): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw invalid(`--port must be a number up to 65535, not ${JSON.stringify(port)}.`, 'Leave it out for a free one.');
}

async function readTls({'tls-cert': cert, 'tls-key': key}: HttpFlags): Promise<Address['tls']> {
  if (cert !== undefined && key !== undefined) {
    const tls = {cert: await read(cert), key: await read(key)};
    try {
      createSecureContext(tls);
    } catch (cause) {
      const sentence = `Cannot serve over TLS with the certificate ${cert} and the key ${key}: ${messageOf(cause)}`;
      throw new KernelError('MCP_SERVE_INVALID', sentence, {
        cause,
        hint: 'Both are PEM files, and the key without a passphrase is that of the certificate.',
      });
    }
    return tls;
  }
  if (cert === key) return undefined;
  throw invalid('--tls-cert and --tls-key belong together.', 'Give both files.');
}

async function readToken(file: string): Promise<string> {
  const text = (await read(file)).trim();
  const {mode} = await stat(file);
  if ((mode & 0o077) !== 0)
    throw invalid(`Others can read the token in ${file}.`, `Run \`chmod 600 ${file}\`, and use another token.`);
  if (text.length < SHORTEST_TOKEN || /\s/.test(text))
    throw invalid(
      `The token in ${file} must be one word of at least ${SHORTEST_TOKEN} characters.`,
      `Make one with \`openssl rand -base64 32\`.`,
    );
  return text;
}

async function read(file: string): Promise<string> {
  return readText(file).catch((cause: unknown) => {
    throw new KernelError('MCP_SERVE_INVALID', `Cannot read ${file}: ${messageOf(cause)}`, {cause});
  });
}

function invalid(sentence: string, hint: string): KernelError {
  return new KernelError('MCP_SERVE_INVALID', sentence, {hint});
}
