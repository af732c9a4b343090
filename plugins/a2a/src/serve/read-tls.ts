import {X509Certificate} from 'node:crypto';
import {createSecureContext} from 'node:tls';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {isInDate} from '../tokens/certificates.js';

/** Paths, as they were typed. */
export interface TlsFiles {
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly clientCa: string | undefined;
}

export interface Tls {
  readonly cert: string;
  readonly key: string;
  /** Only clients with a certificate of this authority connect at all. */
  readonly ca?: string;
  readonly certificate: X509Certificate;
}

const LARGEST = 1 << 20;

/** What a server encrypts with; undefined without files. Throws KernelError PEER_SERVE_INVALID. */
export async function readTls({cert, key, clientCa}: TlsFiles): Promise<Tls | undefined> {
  if (cert === undefined && key === undefined && clientCa === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw invalid('--tls-cert and --tls-key belong together.', 'Pass the certificate of the server and its key.');
  const tls = {
    cert: await read('--tls-cert', cert),
    key: await read('--tls-key', key),
    ...(clientCa === undefined ? {} : {ca: await read('--tls-client-ca', clientCa)}),
  };
  try {
    createSecureContext(tls);
    const certificate = new X509Certificate(tls.cert);
    if (!isInDate(certificate))
      throw new TypeError(`it counts from ${certificate.validFrom} to ${certificate.validTo}`);
    return {...tls, certificate};
  } catch (cause) {
    const hint = 'Pass PEM files: the certificate with its chain, and the key that belongs to it, without a password.';
    throw invalid(`${cert} cannot be used with ${key}: ${messageOf(cause)}`, hint, cause);
  }
}

async function read(flag: string, path: string): Promise<string> {
  try {
    return await readText(path, {limit: LARGEST});
  } catch (cause) {
    throw invalid(`${flag} cannot be read: ${messageOf(cause)}`, 'Pass the path of a PEM file.', cause);
  }
}

function invalid(sentence: string, hint: string, cause?: unknown): KernelError {
  return new KernelError('PEER_SERVE_INVALID', sentence, {hint, cause});
}
