import {listen} from '@gemini-kernel/kernel';
import type {ContextSection} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {instructionsFor} from '../instructions.js';
import {PLAN_MODE} from '../tool-names.js';

/** Tells the model how to plan, and which plan it carries out: also after a compression or a resume. */
export default listen('context:collect', {
  async run(_, {service, session}) {
    const plans = await service('plans');
    await plans.route();
    if (session.mode === PLAN_MODE)
      return [{place: 'system', title: 'Plan mode', text: `# Plan mode\n${instructionsFor(await plans.folder())}`}];
    const approved = await plans.approved();
    if (!approved) return [];
    const {text} = await plans.read(approved.name);
    const changed = approved.isChanged ? ' Its file has been changed since.' : '';
    const section: ContextSection = {
      place: 'system',
      title: 'Approved plan',
      text: `# The approved plan\nFollow it.${changed}\n<approved_plan>\n${text.trim()}\n</approved_plan>`,
    };
    return [section];
  },
});
