type Actions = Record<string, Record<string, number>>;

export function inputs(): { model: object; actions: Actions; document: string };
export function renewed(document: string, model: object, actions: Actions): string;
