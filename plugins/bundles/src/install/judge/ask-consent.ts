import {userInfo} from 'node:os';
import {KernelError, type Form, type FormAnswer} from '@gemini-kernel/kernel';
import type {LockedPlugin} from '@gemini-kernel/admission';
import {agreementForm, isAgreed} from '../../agreement.js';
import {oneLine} from '../../one-line.js';
import {compareLocked, needsConsent} from './compare-locked.js';
import {describeConsent, type ConsentSubject} from './describe-consent.js';

/** How the person can agree. */
export interface ConsentMeans {
  /** Whether `--yes` was given. */
  readonly yes: boolean;
  /** Whether `--force` was given. */
  readonly force: boolean;
  /** Asks the person; absent when there is no one to ask. */
  ask?(form: Form): Promise<FormAnswer>;
  /** Whether a plugin will run in a process of its own. */
  tierOf?(plugin: string): Promise<ConsentSubject['tier']>;
  /** Shows what `--yes` agrees to. */
  show(lines: readonly string[]): void;
}

/**
 * Who agreed, for the lock; the earlier approver when there was nothing new to ask. Throws KernelError
 * INSTALL_UNCONFIRMED or INSTALL_LOOKALIKE.
 */
export async function askConsent(subject: ConsentSubject, means: ConsentMeans): Promise<LockedPlugin['approved']> {
  const {name, locked, before, lookalike, now} = subject;
  refuseLookalike(subject, means);
  const change = compareLocked(before, locked);
  if (before?.approved && !needsConsent(change) && lookalike === undefined) return before.approved;
  const tier = await means.tierOf?.(name);
  const lines = describeConsent(tier ? {...subject, tier} : subject, change);
  if (means.yes || !means.ask) means.show(lines);
  if (means.yes) return {at: now.toISOString(), by: '--yes'};
  if (!means.ask) {
    throw new KernelError(
      'INSTALL_UNCONFIRMED',
      `${name} ${locked.version} was not installed, because there is no terminal to ask for your consent.`,
      {hint: 'Check it with `gemini plugins inspect`, then install it with --yes or at a terminal.'},
    );
  }
  if (!isAgreed(await means.ask(consentForm(subject, lines))))
    throw new KernelError('INSTALL_UNCONFIRMED', `${name} ${locked.version} was not installed.`, {
      hint: 'Installed plugins are unchanged.',
    });
  return {at: now.toISOString(), by: userName()};
}

/** The question; its text is everything that the plugin may do. */
function consentForm({name, locked, before}: ConsentSubject, [title = name, ...lines]: readonly string[]): Form {
  const {version} = locked;
  return agreementForm({
    title: oneLine(title),
    text: lines.join('\n'),
    about: {kind: 'install', name, version, ...(before ? {before: before.version} : {})},
    label: before ? `Replace ${name} ${before.version} with ${version}?` : `Install ${name} ${version}?`,
  });
}

function refuseLookalike({name, lookalike}: ConsentSubject, {ask, force}: ConsentMeans): void {
  if (lookalike === undefined || ask || force) return;
  throw new KernelError('INSTALL_LOOKALIKE', `${name} looks like ${lookalike}, which is another plugin.`, {
    hint: `If you want ${name}, install it at a terminal or with --force.`,
  });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Some containers know only a number.
    return 'someone at the terminal';
  }
}

/** The same means, but each first stops the progress output. */
export function hushing(means: ConsentMeans, hush: () => void): ConsentMeans {
  const {ask} = means;
  return {
    ...means,
    ...(ask ? {ask: (form: Form) => (hush(), ask(form))} : {}),
    show(lines) {
      hush();
      means.show(lines);
    },
  };
}
