import {randomBytes} from 'node:crypto';
import {readText} from '@gemini-kernel/files';
import {createSecureContext} from 'node:tls';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {readSecret} from './read-secret.js';
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
  platform: string,
): Promise<Pick<Address, 'host' | 'port' | 'token' | 'tls'> & {readonly isNewToken: boolean}> {
  const {host = '127.0.0.1', 'token-file': file} = flags;
  const tls = await readTls(flags, platform);
  if (!LOOPBACK.has(host.toLowerCase()) && !tls && !flags['allow-plain-http'])
    throw invalid(
      `--host ${host} can be reached from other machines, and without TLS the token can be read on the way.`,
      'Give --tls-cert and --tls-key, or --allow-plain-http if something in front of it encrypts.',
    );
  const token = file === undefined ? randomBytes(32).toString('base64url') : readToken(file, platform);
  return {host, port: readPort(flags), token, isNewToken: file === undefined, ...(tls ? {tls} : {})};
}

function readPort({port = '0'}: HttpFlags): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw invalid(`--port must be a number up to 65535, not ${JSON.stringify(port)}.`, 'Leave it out for a free one.');
}

async function readTls({'tls-cert': cert, 'tls-key': key}: HttpFlags, platform: string): Promise<Address['tls']> {
  if (cert !== undefined && key !== undefined) {
    const tls = {cert: await read(cert), key: readKey(key, platform)};
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

function readKey(path: string, platform: string): string {
  const replace = 'use another key if someone may have read this one';
  return readSecret({path, what: 'the TLS key', replace, mayBeOfSystem: true}, platform);
}

function readToken(path: string, platform: string): string {
  const text = readSecret({path, what: 'the token', replace: 'use another token'}, platform).trim();
  if (text.length < SHORTEST_TOKEN || /\s/.test(text))
    throw invalid(
      `The token in ${path} must be one word of at least ${SHORTEST_TOKEN} characters.`,
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
