import type {Kernel, Session} from '@gemini-kernel/kernel/host';
import type {PromptSource, ResourceSource} from '../contract.js';

/** What plugins serve beside tools. */
export interface Sources {
  readonly hasPrompts: boolean;
  prompts(session: Session): Promise<readonly PromptSource[]>;
  resources(session: Session): Promise<readonly ResourceSource[]>;
}

/** Finds the sources among the services of the catalog. */
export function findSources({catalog}: Pick<Kernel, 'catalog'>): Sources {
  const names = [...catalog.services.keys()];
  const prompts = names.filter((name): name is `mcp-prompts:${string}` => name.startsWith('mcp-prompts:'));
  const resources = names.filter((name): name is `mcp-resources:${string}` => name.startsWith('mcp-resources:'));
  return {
    hasPrompts: prompts.length > 0,
    prompts: (session) => Promise.all(prompts.map((name) => session.service(name))),
    resources: (session) => Promise.all(resources.map((name) => session.service(name))),
  };
}
