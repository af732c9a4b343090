import {planFault} from './plan-fault.js';

const UNITS: Readonly<Record<string, number>> = {'': 1, k: 1e3, m: 1e6, g: 1e9};

/** A number of tokens such as `500k` or `20M`; undefined for another text. */
export function tokensOf(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]?)$/i.exec(text.trim()) ?? [];
  const tokens = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? NaN));
  return number !== '' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

/** US dollars such as `50`, `50usd` or `$50`; undefined for another text. */
export function moneyOf(text: string): number | undefined {
  const [, number = ''] = /^\$?\s*(\d+(?:\.\d+)?)\s*(?:usd)?$/i.exec(text.trim()) ?? [];
  return Number(number) > 0 ? Number(number) : undefined;
}

/** Throws KernelError FLEET_PLAN_INVALID for what is no number of tokens. */
export function readTokens(value: number | string, where: string): number {
  const tokens = tokensOf(String(value));
  if (tokens !== undefined) return tokens;
  throw planFault(where, `${JSON.stringify(value)} is no number of tokens`, {hint: 'Write 500000, 500k or 20M.'});
}

/** Bytes such as `500MB` or `10GB`. Throws KernelError FLEET_PLAN_INVALID. */
export function readBytes(value: string, where: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg])b?$/i.exec(value.trim()) ?? [];
  const bytes = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? NaN));
  if (number !== '' && Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw planFault(where, `${JSON.stringify(value)} is no amount of disk`, {hint: 'Write 500MB or 10GB.'});
}

/** Throws KernelError FLEET_PLAN_INVALID for what is no amount of US dollars. */
export function readMoney(value: string, where: string): number {
  const money = moneyOf(value);
  if (money !== undefined) return money;
  throw planFault(where, `${JSON.stringify(value)} is no amount of US dollars`, {hint: 'Write 50, 50usd or 0.5.'});
}
