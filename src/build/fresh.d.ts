export function signature(file: string): string;
export function freshProgram(root?: string): string | undefined;
export function startFile(folder: string): string;
