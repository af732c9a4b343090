import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type GenerateKeyPairResult,
  type JWK,
} from 'jose';

/** An issuer of OpenID Connect on loopback, with real keys. */
export interface Issuer extends AsyncDisposable {
  readonly url: string;
  /** Requests for keys. */
  readonly asked: readonly string[];
  /** What the issuer does with requests from now on. */
  behave(how: 'well' | 'silent' | 'broken' | 'large' | 'other' | 'elsewhere'): void;
  /** A token with these claims in place of the usual ones. */
  sign(claims?: Readonly<Record<string, unknown>>): Promise<string>;
  /** From here on, other keys sign, and only these are published. */
  rotate(): Promise<void>;
  /** A token that names no algorithm, and one that takes the public key for a secret. */
  forge(): Promise<readonly string[]>;
}

const HOUR_S = 3600;

export async function startIssuer(): Promise<Issuer> {
  let count = 0;
  let pair: GenerateKeyPairResult;
  let jwk: JWK = {};
  const asked: string[] = [];
  let how = 'well';
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (how === 'silent') return;
    const json = (value: unknown): unknown =>
      response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(value));
    if (how === 'broken') return void response.writeHead(500).end('no');
    if (how === 'large') return void response.writeHead(200).end('x'.repeat(2 << 20));
    if (request.url === '/keys') return json({keys: [jwk]});
    if (how === 'other') return json({issuer: 'https://another.example', jwks_uri: `${url}/keys`});
    if (how === 'elsewhere') return json({issuer: url, jwks_uri: 'http://192.0.2.1/keys'});
    return json({issuer: url, jwks_uri: `${url}/keys`});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const claimsOf = (claims: Readonly<Record<string, unknown>>) => ({
    ...{iss: url, aud: 'gemini', sub: 'builds', exp: Math.floor(Date.now() / 1000) + HOUR_S},
    ...claims,
  });
  const rotate = async (): Promise<void> => {
    count += 1;
    pair = await generateKeyPair('ES256', {extractable: true});
    jwk = {...(await exportJWK(pair.publicKey)), kid: `key-${count}`, alg: 'ES256', use: 'sig'};
  };
  await rotate();
  return {
    url,
    asked,
    behave: (next) => void (how = next),
    rotate,
    sign: (claims = {}) =>
      new SignJWT(claimsOf(claims)).setProtectedHeader({alg: 'ES256', kid: `key-${count}`}).sign(pair.privateKey),
    async forge() {
      const secret = new TextEncoder().encode(await exportSPKI(pair.publicKey));
      const confused = new SignJWT(claimsOf({})).setProtectedHeader({alg: 'HS256', kid: `key-${count}`});
      return [new UnsecuredJWT(claimsOf({})).encode(), await confused.sign(secret)];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
