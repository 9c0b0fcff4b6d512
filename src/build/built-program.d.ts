export function signature(file: string): string;
export function builtProgram(root?: string): string | undefined;
export function startFile(folder: string): string;
