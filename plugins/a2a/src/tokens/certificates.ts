import {X509Certificate} from 'node:crypto';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';

/** A certificate is a few kilobytes. */
const LARGEST = 1 << 20;

/** The SHA-256 of a certificate, in hexadecimal. */
export function fingerprintOf({fingerprint256}: X509Certificate): string {
  return fingerprint256.replaceAll(':', '').toLowerCase();
}

/** Whether a certificate counts now. */
export function isInDate({validFrom, validTo}: X509Certificate, now = Date.now()): boolean {
  return Date.parse(validFrom) <= now && now < Date.parse(validTo);
}

/** The certificate in a PEM file. Throws KernelError PEER_TOKEN_INVALID. */
export async function readCertificate(path: string): Promise<X509Certificate> {
  try {
    const text = await readText(path, {limit: LARGEST});
    if (text.includes('PRIVATE KEY'))
      throw new TypeError('it has a private key, which belongs to the other agent only');
    const certificate = new X509Certificate(text);
    if (!isInDate(certificate))
      throw new TypeError(`it counts from ${certificate.validFrom} to ${certificate.validTo}`);
    return certificate;
  } catch (cause) {
    throw new KernelError('PEER_TOKEN_INVALID', `${path} is no certificate to let an agent in: ${messageOf(cause)}`, {
      cause,
      hint: 'Pass the PEM file of the certificate that the other agent connects with.',
    });
  }
}
