import {AgentCommand} from './agent-command.js';

export interface Switched {
  readonly name: string;
  readonly enabled: boolean;
  readonly file: string;
}

/** A command that writes `agents.overrides.<name>.enabled`. */
export abstract class SwitchCommand extends AgentCommand {
  protected async switch(given: string, enabled: boolean, scope: 'user' | 'workspace'): Promise<Switched> {
    const {name} = await this.find(given);
    const settings = await this.service('settings');
    const {path: file} = await settings.set(`agents.overrides.${name}.enabled`, enabled, {
      scope: scope === 'workspace' ? 'project' : 'user',
    });
    await this.refresh();
    this.log(`The agent "${name}" is ${enabled ? 'enabled' : 'disabled'} in ${file}.`);
    return {name, enabled, file};
  }
}
