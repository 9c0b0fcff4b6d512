/**
 * Stands for packages that others import and the program does not use: the highlighter and the emoji table of marked-terminal, and of
 * ssh2 the reader of passwords and the native look at the processor.
 */
export const highlight = (code: string): string => code;
