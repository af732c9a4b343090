import {realpath, stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {fingerprintOf, readCertificate} from '../../../tokens/certificates.js';
import {describeProof} from '../../../tokens/describe-proof.js';
import {readLogin} from '../../../tokens/read-login.js';
import {Tokens, type Grant} from '../../../tokens/tokens.js';

const MODES = ['default', 'auto_edit', 'plan', 'yolo'] as const;
const DAY_MS = 24 * 60 * 60_000;

export default class TokenCreate extends KernelCommand {
  static override summary = 'Let another agent in: make a token, or name the login that it has.';
  static override description =
    'Tasks of the agent work in one folder and in one approval mode, which the agent cannot change. Only a digest of ' +
    'the token is kept. With --issuer, --audience and --subject, the agent sends tokens of that issuer of OpenID ' +
    'Connect; with --certificate, it connects with that client certificate; with both, it needs both. Then no token ' +
    'is made.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ci',
    '<%= config.bin %> <%= command.id %> reviewer --directory ../app --mode plan --days 30',
    '<%= config.bin %> <%= command.id %> nightly --issuer https://id.example.com --audience gemini --subject builds',
    '<%= config.bin %> <%= command.id %> builds --certificate builds.pem',
  ];
  static override args = {name: Args.string({description: 'Who it is for.', required: true})};
  static override flags = {
    directory: Flags.string({description: 'The folder that its tasks work in: the current one.'}),
    mode: Flags.option({options: MODES, description: 'What runs without a question: default (reading).'})(),
    notify: Flags.string({
      description: 'A host that may get notifications of tasks although it is not on the public internet; repeatable.',
      multiple: true,
    }),
    issuer: Flags.string({description: 'Issuer of OpenID Connect whose tokens the agent sends.'}),
    audience: Flags.string({description: 'The audience (aud) that its tokens must have.'}),
    subject: Flags.string({description: 'The subject (sub) that its tokens must have.'}),
    certificate: Flags.string({description: 'PEM file of the client certificate that the agent connects with.'}),
    days: Flags.string({description: 'After how many days it ends; without it, it does not end.'}),
  };
  static override enableJsonFlag = true;

  async run(): Promise<Grant & {readonly token?: string}> {
    const {args, flags} = await this.parse(TokenCreate);
    const {cwd, home, variables} = this.kernel.environment;
    const folder = flags.directory ?? (variables['CODER_AGENT_WORKSPACE_PATH'] || '.');
    const openid = readLogin(flags);
    const certificate =
      flags.certificate === undefined
        ? undefined
        : fingerprintOf(await readCertificate(resolve(cwd, flags.certificate)));
    const wanted = {
      name: args.name,
      directory: await findDirectory(resolve(cwd, folder)),
      mode: flags.mode ?? 'default',
      ...(flags.notify ? {notify: flags.notify.map(readHost)} : {}),
      ...(flags.days === undefined ? {} : {expires: readEnd(flags.days)}),
    };
    const tokens = new Tokens(await this.service('config-files'), home);
    if (openid) return this.admit(await tokens.admit({...wanted, openid, ...(certificate ? {certificate} : {})}));
    if (certificate) return this.admit(await tokens.admit({...wanted, certificate}));
    const {token, grant} = await tokens.create(wanted);
    this.logToStderr(
      `Token ${grant.id} for ${args.name}: ${grant.directory}, mode ${grant.mode}. It is shown only now:`,
    );
    this.log(token);
    return {...grant, token};
  }

  private admit(grant: Grant): Grant {
    this.log(`${grant.id} lets in ${grant.name}: ${grant.directory}, mode ${grant.mode}.`);
    this.log(`It shows ${describeProof(grant)}.`);
    return grant;
  }
}

async function findDirectory(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return realpath(path);
  throw new KernelError('PEER_TOKEN_INVALID', `${path} ${found ? 'is not a folder' : 'does not exist'}.`, {
    hint: 'Pass the folder that tasks of the agent should work in.',
  });
}

/** A host as addresses have it: `localhost:8080`, `[::1]:8080`, `10.0.0.5`. */
function readHost(text: string): string {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  if (url?.host === text.toLowerCase()) return url.host;
  throw new KernelError('PEER_TOKEN_INVALID', `--notify does not accept ${JSON.stringify(text)}.`, {
    hint: 'Pass the name or address of one host, with its port if it has one: builds.lan:8080.',
  });
}

function readEnd(days: string): string {
  if (/^[1-9]\d{0,3}$/.test(days)) return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  throw new KernelError('PEER_TOKEN_INVALID', `--days does not accept ${JSON.stringify(days)}.`, {
    hint: 'Pass a whole number from 1 to 9999.',
  });
}
