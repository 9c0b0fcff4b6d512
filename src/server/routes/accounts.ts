import type {Route} from '#server/http/route.ts';

export const accountsRoutes: readonly Route[] = [];
