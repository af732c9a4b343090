import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Agent} from './contract.js';

interface GreetParts {
  readonly agent: Pick<Agent, 'model' | 'check'>;
  readonly settings: Pick<Settings, 'get'>;
  readonly mode: string;
  readonly version: string;
  readonly directory: string;
  style(style: 'dim' | 'warn', text: string): string;
}

/**
 * The first lines of a conversation: the model, what may run without a question, and the directory; then what prevents
 * requests to the model.
 */
export async function greet({agent, settings, style, ...about}: GreetParts): Promise<readonly string[]> {
  const {mode, version, directory} = about;
  const isHidden = (await settings.get('ui.hideBanner')) === true;
  const banner = isHidden
    ? []
    : [style('dim', `gemini ${version} · ${(await agent.model()).model} · mode ${mode} · ${directory}`)];
  const failure = await agent.check();
  return failure ? [...banner, `${style('warn', failure.message)} ${failure.hint ?? ''}`.trimEnd()] : banner;
}
