// Evaluated again for each test file, unlike the hooks.
import './module-hooks.ts';
