export const videoProviders = {
  none: 0,
  jitsi: 1,
  zoom: 3,
  bigBlueButton: 4,
  zoomServerToServer: 5,
  constructorGroups: 6,
  nextcloudTalk: 7,
  conference: 8,
} as const;

const tokenKey = /^has_(\w+)_token$/;

/** Returns the provider of a token's key: `has_zoom_token` → `zoom`. */
export function tokenProvider(key: string): string | undefined {
  return tokenKey.exec(key)?.[1];
}

export function tokenKeyOf(segment: string): `has_${string}_token` {
  return `has_${segment}_token`;
}

/** Returns whether the user has a token of this provider; undefined when the server does not send it. */
export function videoToken(snapshot: object, segment: string): boolean | undefined {
  const value: unknown = Reflect.get(snapshot, tokenKeyOf(segment));
  return typeof value === 'boolean' ? value : undefined;
}

/** Returns the values of all `has_*_token` keys of a snapshot, by provider. */
export function videoTokens(snapshot: object): Record<string, boolean> {
  const tokens: Record<string, boolean> = {};
  for (const [key, value] of Object.entries(snapshot)) {
    const provider = tokenProvider(key);
    if (provider !== undefined && typeof value === 'boolean') tokens[provider] = value;
  }
  return tokens;
}
