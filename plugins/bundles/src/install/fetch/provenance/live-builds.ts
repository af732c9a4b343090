import {isKernelError, type ServiceContext} from '@gemini-kernel/kernel';
import {obtainProvenance} from './obtain-provenance.js';
import {resolveFromRegistry} from '../resolve-registry.js';
import {judgeAddress} from '../../judge/judge-rules.js';
import {readOwnNpm, readOwnRules} from '../../source/own-rules.js';
import type {BuildProof, Builds, FetchedArchive} from './builds.js';

type Context = Pick<ServiceContext, 'environment' | 'service' | 'signal'>;

/** Proves where packages of npm were built. */
export class LiveBuilds implements Builds {
  constructor(private readonly context: Context) {}

  async prove({name, version, integrity}: FetchedArchive): Promise<BuildProof> {
    const {signal} = this.context;
    const [{managed}, options] = await Promise.all([readOwnRules(this.context), readOwnNpm(this.context)]);
    const judge = (url: string): void => judgeAddress({managed}, {url, what: name, kinds: ['registry']});
    const found = await resolveFromRegistry({name, wanted: version, options, signal, judge}).catch(
      (error: unknown): BuildProof => {
        signal.throwIfAborted();
        if (!isKernelError(error)) throw error;
        // The archive came from npm, which may reach the registry in other ways.
        return {unproven: `its registry does not say: ${error.message.replace(/\.$/, '')}`};
      },
    );
    return 'name' in found ? obtainProvenance({managed, signal}, {found, options, integrity}) : found;
  }
}
