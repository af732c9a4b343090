import {messageOf} from '@gemini-kernel/kernel';
import type {Network} from '@gemini-kernel/plugin-network/contract';
import type {GoogleAuth} from 'google-auth-library';
import type {GoogleTarget} from '../../google.js';
import {LATE, SendFailure} from '../send-failure.js';

/** Enough to add spans, measurements and logs, and to read none. */
const SCOPES = ['trace.append', 'monitoring.write', 'logging.write'].map(
  (name) => `https://www.googleapis.com/auth/${name}`,
);

/** Gives the headers of a batch: a token of the application default credentials, and the project that pays. */
export function createAuthorize(
  {project, credentials}: GoogleTarget,
  network: Network,
): (signal: AbortSignal) => Promise<Readonly<Record<string, string>>> {
  let auth: Promise<GoogleAuth> | undefined;
  const open = async (): Promise<GoogleAuth> => {
    const {GoogleAuth: Auth} = await import('google-auth-library');
    const options = {
      scopes: SCOPES,
      // Otherwise the library looks for it with a program of its own.
      projectId: project,
      ...(credentials === undefined ? {} : {keyFilename: credentials}),
      // Tokens come by the same proxies as everything else.
      clientOptions: {transporterOptions: {fetchImplementation: network.fetch.bind(network)}},
    };
    return new Auth(options);
  };
  return async (signal) => {
    auth ??= open();
    const token = await Promise.race([tokenOf(auth), aborted(signal)]);
    return {authorization: `Bearer ${token}`, 'x-goog-user-project': project};
  };
}

async function tokenOf(auth: Promise<GoogleAuth>): Promise<string> {
  try {
    const token = await (await auth).getAccessToken();
    if (typeof token === 'string' && token !== '') return token;
  } catch (error) {
    const [why = ''] = messageOf(error).split('\n');
    throw new SendFailure(
      `The credentials for Google Cloud give no token (${why.replace(/\.$/, '')}): run gcloud auth ` +
        'application-default login, or set GOOGLE_APPLICATION_CREDENTIALS.',
      {canRetry: true},
    );
  }
  throw new SendFailure('The credentials for Google Cloud give an empty token.', {canRetry: true});
}

/** The library cannot be stopped, but no one has to wait for it. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const late = (): void => reject(new SendFailure(LATE, {canRetry: true}));
    if (signal.aborted) late();
    else signal.addEventListener('abort', late, {once: true});
  });
}
