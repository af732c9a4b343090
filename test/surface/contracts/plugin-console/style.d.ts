export type Style = 'strong' | 'emphasis' | 'underlined' | 'struck' | 'dim' | 'code' | 'good' | 'warn' | 'bad';
export type Paint = (style: Style, text: string) => string;
export declare function createPaint(colour: boolean): Paint;
export declare function withoutStyle(text: string): string;
