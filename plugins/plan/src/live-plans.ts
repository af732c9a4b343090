import {join} from 'node:path';
import {KernelError, ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Project} from '@gemini-kernel/plugin-workspace/contract';
import {ApprovalRecord, digestOf} from './approval-record.js';
import type {ApprovedPlan, PlanAnswer, PlanFile, Plans} from './contract.js';
import {askAboutPlan} from './ask-about-plan.js';
import {findOwnFolder, isPlanName, PlanFolder} from './plan-folder.js';
import approvedMode from './settings/approved-mode.js';
import planModel from './settings/model.js';
import {PLAN_MODE} from './tool-names.js';
import {findWishedFolder} from './wished-folder.js';

interface Parts {
  readonly context: Pick<ServiceContext, 'session' | 'environment' | 'service' | 'ask' | 'sources' | 'tell'>;
  readonly settings: Settings;
  readonly project: Project;
}

interface Kept {
  readonly plans: PlanFolder;
  readonly isInProject: boolean;
}

export class LivePlans implements Plans {
  #folder: Promise<Kept> | undefined;
  /** The mode before plan mode, where a call changed it. */
  #before: string | undefined;
  /** The model of the conversation, while another one plans. */
  #usual: string | undefined;

  constructor(private readonly parts: Parts) {}

  async folder(): Promise<string> {
    return (await this.#plans()).path;
  }

  async isInProject(): Promise<boolean> {
    return (await this.#kept()).isInProject;
  }

  async list(): Promise<readonly PlanFile[]> {
    return (await this.#plans()).list();
  }

  async read(name?: string): Promise<{readonly plan: PlanFile; readonly text: string}> {
    const plans = await this.#plans();
    const wanted = name ?? (await this.approved())?.name ?? (await plans.list())[0]?.name;
    const plan = wanted !== undefined && isPlanName(wanted) ? await plans.find(wanted) : undefined;
    if (plan) return {plan, text: await plans.read(plan)};
    const names = (await plans.list()).map((one) => one.name);
    throw new KernelError(
      'PLAN_UNKNOWN',
      wanted === undefined ? 'This session has no plan.' : `There is no plan ${JSON.stringify(wanted)}.`,
      {
        hint:
          names.length > 0 ? `Plans of this session: ${names.join(', ')}.` : 'Type /plan, and say what you want to do.',
      },
    );
  }

  async approved(): Promise<ApprovedPlan | undefined> {
    const approval = await (await this.#approvals())?.read();
    if (!approval) return undefined;
    const {sha256, ...plan} = approval;
    const plans = await this.#plans();
    const file = isPlanName(plan.name) ? await plans.find(plan.name) : undefined;
    if (file?.path !== plan.path) return undefined;
    const text = await plans.read(file);
    return {...file, approved: plan.approved, mode: plan.mode, isChanged: digestOf(text) !== sha256};
  }

  async enter(): Promise<{readonly mode: string; readonly folder: string}> {
    const {settings, context} = this.parts;
    if ((await settings.get('general.plan.enabled')) === false)
      throw new KernelError('PLAN_DISABLED', 'Plan mode is turned off by general.plan.enabled.', {
        hint: 'gemini settings explain general.plan.enabled shows where.',
      });
    const before = context.session.mode;
    if (before !== PLAN_MODE) {
      await this.#setMode(PLAN_MODE);
      this.#before = before;
    }
    await this.route();
    return {mode: context.session.mode, folder: await this.folder()};
  }

  async present(
    name: string,
    {text, signal}: {readonly text?: string; readonly signal: AbortSignal},
  ): Promise<PlanAnswer> {
    if (!isPlanName(name))
      throw new ToolError('PLAN_INVALID', `${JSON.stringify(name)} is not the name of a Markdown file.`, {
        hint: 'Give a name without folders, such as rename-orders.md.',
      });
    const plans = await this.#plans();
    if (text !== undefined) await plans.write(name, text);
    const plan = await plans.find(name);
    if (!plan || (await plans.read(plan)).trim() === '')
      throw new ToolError('PLAN_INVALID', `The plan ${name} ${plan ? 'is empty' : 'does not exist'}.`, {
        hint: 'Give its whole text as plan.',
      });
    const {interactive} = this.parts.context.session;
    const read = (): Promise<string> => plans.read(plan);
    const answer = interactive
      ? await askAboutPlan({plan, read, ask: (form) => this.parts.context.ask(form, signal)})
      : ({outcome: 'approved', mode: await this.#modeWithoutPerson(), text: await read()} as const);
    if (answer.outcome !== 'approved') return answer;
    await this.#setMode(answer.mode);
    const approval = {name, path: plan.path, approved: new Date().toISOString(), mode: answer.mode};
    await new ApprovalRecord(await this.#own()).write({...approval, sha256: digestOf(answer.text)});
    this.#before = undefined;
    await this.route();
    return {
      outcome: 'approved',
      text: answer.text,
      plan: {...plan, approved: approval.approved, mode: answer.mode, isChanged: false},
    };
  }

  async finish(): Promise<boolean> {
    return (await this.#approvals())?.remove() ?? false;
  }

  async route(): Promise<void> {
    const {settings, context} = this.parts;
    const planner = await settings.get(planModel.key);
    const isPlanning = context.session.mode === PLAN_MODE;
    if (isPlanning === (this.#usual !== undefined) || (isPlanning && typeof planner !== 'string')) return;
    const agent = await context.service('agent');
    if (isPlanning) {
      const {chosen} = await agent.model();
      await agent.setModel(String(planner));
      this.#usual = chosen;
    } else {
      // A model that the person chose meanwhile stays.
      if ((await agent.model()).chosen === planner) await agent.setModel(this.#usual ?? '');
      this.#usual = undefined;
    }
  }

  /** The mode that the person had chosen before the model asked for plan mode, else what the setting says. */
  async #modeWithoutPerson(): Promise<string> {
    // A project must not decide how loose a run is.
    return this.#before ?? String((await this.parts.settings.getApart(approvedMode.key)) ?? approvedMode.default);
  }

  /** Throws KernelError PLAN_NEEDS_CONVERSATION, or the refusal of the mode. */
  async #setMode(mode: string): Promise<void> {
    const {service, session} = this.parts.context;
    const conversations = await service('conversations');
    if (!(await conversations.find(session.id)))
      throw new KernelError('PLAN_NEEDS_CONVERSATION', 'Only a conversation has plan mode.', {
        hint: 'Type /plan in a conversation, or start one with gemini --approval-mode plan.',
      });
    await conversations.setMode(session.id, mode);
  }

  async #plans(): Promise<PlanFolder> {
    return (await this.#kept()).plans;
  }

  #kept(): Promise<Kept> {
    return (this.#folder ??= this.#findPlans());
  }

  /** In the folder of the setting, else in that of an extension, else in the private one of the session. */
  async #findPlans(): Promise<Kept> {
    const {settings, context} = this.parts;
    const directory = await settings.get('general.plan.directory');
    const named =
      typeof directory === 'string' && directory !== ''
        ? await findOwnFolder(directory, context.environment.cwd)
        : await findWishedFolder(context);
    return named === undefined
      ? {plans: new PlanFolder(join(await this.#own(), 'plans')), isInProject: false}
      : {plans: new PlanFolder(named), isInProject: true};
  }

  /** Undefined where nothing can have been approved yet. */
  async #approvals(): Promise<ApprovalRecord | undefined> {
    const folder = await this.parts.project.find();
    return folder && new ApprovalRecord(join(folder.temporary, this.parts.context.session.id));
  }

  /** The private folder of the session. */
  async #own(): Promise<string> {
    return join((await this.parts.project.claim()).temporary, this.parts.context.session.id);
  }
}
