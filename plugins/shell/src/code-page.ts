/** The upper half of code pages that the platform's decoder does not know. */
const UPPER: Readonly<Record<string, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
};
const BY_NUMBER: Readonly<Record<string, string>> = {
  437: 'cp437',
  850: 'cp850',
  858: 'cp850',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  54936: 'gb18030',
};

/** The encoding of a Windows code page, or undefined when it is UTF-8 or one that cannot be decoded. */
export function encodingOfCodePage(number: number): string | undefined {
  return number >= 1250 && number <= 1258 ? `windows-${number}` : BY_NUMBER[number];
}

/**
 * The encoding that a POSIX locale such as `de_DE.ISO-8859-1@euro` names, or undefined when it is UTF-8, missing or
 * unknown.
 */
export function encodingOfLocale(locale: string): string | undefined {
  const given = /\.([^@]+)/.exec(locale)?.[1]?.toLowerCase();
  if (given === undefined || /^utf-?8$/.test(given)) return undefined;
  const name = given.replace(/^euc[-_]?(jp|kr)$/, 'euc-$1').replace(/^iso[-_]?8859[-_]?(\d+)$/, 'iso-8859-$1');
  return findDecoder(name) ? name : undefined;
}

/** Decodes a legacy encoding; undefined when no decoder exists. */
export function findDecoder(encoding: string): ((bytes: Uint8Array) => string) | undefined {
  const upper = UPPER[encoding];
  if (upper !== undefined)
    return (bytes) =>
      Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : upper[byte - 128])).join('');
  try {
    const decoder = new TextDecoder(encoding);
    return (bytes) => decoder.decode(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_NOT_SUPPORTED') return undefined;
    throw error;
  }
}
