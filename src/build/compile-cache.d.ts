export function enableCompileCache(root?: string): void;
