import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {Skill} from './contract.js';

/** A command about skills. */
export abstract class SkillCommand extends KernelCommand {
  /** Throws KernelError SKILL_UNKNOWN. */
  protected async find(name: string): Promise<Skill> {
    const {skills, off} = await (await this.service('skills')).list();
    if (off !== undefined) throw new KernelError('SKILL_UNKNOWN', off);
    const found = skills.find((skill) => skill.name.toLowerCase() === name.trim().toLowerCase());
    if (found) return found;
    throw new KernelError('SKILL_UNKNOWN', `There is no skill "${name}".`, {
      hint: '`gemini skills list` shows which there are.',
    });
  }

  /** In a conversation, the next prompt knows of the change. */
  protected async refresh(): Promise<void> {
    if (this.session.live) await (await this.service('skills')).refresh();
  }

  /** Shows what is going to happen and asks for a yes. Throws KernelError SKILL_NOT_AGREED. */
  protected async agree(lines: readonly string[], question: string, isGiven: boolean): Promise<void> {
    const show = (): void => lines.forEach((line) => this.logToStderr(line));
    if (isGiven) return show();
    const answer = await this.ask({
      title: question,
      text: [...lines, 'A model follows the instructions of a skill: read them before you agree.'].join('\n'),
      about: {kind: 'skill', lines},
      fields: [{name: 'agree', kind: 'yes-no', label: 'Continue?', default: false}],
    });
    if (answer.outcome === 'answered' && answer.values['agree'] === true) return;
    const isAbsent = answer.outcome === 'nobody';
    if (isAbsent) show();
    throw new KernelError('SKILL_NOT_AGREED', `${question} ${isAbsent ? 'No one could be asked.' : 'You said no.'}`, {
      hint: isAbsent ? 'Look at what is shown, then pass --consent.' : 'Nothing was changed.',
    });
  }
}
