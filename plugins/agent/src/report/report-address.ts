import {KernelError} from '@gemini-kernel/kernel';

/** The setting with the address to report to; not from a project, which would get what a person reports. */
export const ADDRESS_SETTING = 'advanced.bugCommand.urlTemplate';

interface Report {
  readonly title: string;
  readonly info: string;
}

/** Browsers and servers take addresses of this length. */
const MOST = 8000;
const SHORTENED = '\n(shortened)\n';

/**
 * The address for a report: `{title}`, `{info}` and `{problem}` of the template are filled in, and the information is
 * shortened as far as it must be. Throws KernelError BUG_ADDRESS_INVALID.
 */
export function reportAddress(template: string, report: Report): URL {
  const whole = fill(template, report);
  if (whole.href.length <= MOST) return whole;
  const lines = report.info.split('\n');
  while (lines.length > 0) {
    lines.pop();
    const shorter = fill(template, {...report, info: `${lines.join('\n')}${SHORTENED}`});
    if (shorter.href.length <= MOST) return shorter;
  }
  return fill(template, {title: report.title.slice(0, MOST / 20), info: SHORTENED});
}

function fill(template: string, {title, info}: Report): URL {
  const values: Readonly<Record<string, string>> = {title, info, problem: title};
  const text = template.replaceAll(/\{(title|info|problem)\}/g, (_, name: string) => encode(values[name] ?? ''));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol))
    throw new KernelError('BUG_ADDRESS_INVALID', `${ADDRESS_SETTING} is not an address of the web: ${template}`, {
      hint: 'An example: https://example.com/new?title={title}&body={info}',
    });
  return url;
}

/** Half of a character, which a cut can leave, cannot be encoded. */
function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
