export declare function markForeign(text: string, source?: string): string;
