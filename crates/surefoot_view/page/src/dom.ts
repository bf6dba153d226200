// Makes elements.

type Child = Node | string | null;
type Properties = Record<string, unknown>;

/** An element with properties, `class`, attributes in `aria` and `data` form, listeners `on…`, and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") element.className = String(value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name in element) (element as unknown as Properties)[name] = value;
    else element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null));
  return element;
}

/** A check box with its label. */
export function checkbox(label: string, checked: boolean, onchange: (checked: boolean) => void): HTMLLabelElement {
  const input = h("input", { type: "checkbox", checked, onchange: () => onchange(input.checked) });
  return h("label", { class: "check" }, input, ` ${label}`);
}

export interface SliderOptions {
  label: string;
  min: number;
  max: number;
  step: number;
  value: number;
  unit?: string;
  oninput: (value: number) => void;
}

/** A slider with its label and value. */
export function slider(options: SliderOptions): HTMLLabelElement {
  const shown = h("output", {}, "");
  const show = (value: number) => (shown.textContent = `${Math.round(value * 100) / 100}${options.unit ?? ""}`);
  const { min, max, step, value } = options;
  const input = h("input", { type: "range", min, max, step, value, oninput: () => {
    show(input.valueAsNumber);
    options.oninput(input.valueAsNumber);
  } });
  show(value);
  return h("label", { class: "slider" }, h("span", {}, options.label), input, shown);
}

/** A group of buttons of which one is pressed. */
export function choices<T extends string>(
  label: string,
  names: Record<T, string>,
  chosen: T,
  onchoose: (choice: T) => void,
): HTMLElement {
  const buttons = (Object.entries(names) as [T, string][]).map(([choice, name]) => {
    const own = h("button", { type: "button", "aria-pressed": choice === chosen, "data-choice": choice, onclick: () => {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === own)));
      onchoose(choice);
    } }, name);
    return own;
  });
  return h("div", { class: "choices", role: "group", "aria-label": label }, ...buttons);
}

/** A field for a number. */
export function numberField(label: string, value: number, onchange: (value: number) => void): HTMLLabelElement {
  const input = h("input", { type: "number", value, min: 0, onchange: () => {
    if (Number.isFinite(input.valueAsNumber)) onchange(input.valueAsNumber);
  } });
  return h("label", { class: "number" }, h("span", {}, label), input);
}

/** A text with a button that copies it. */
export function copyLine(text: string): HTMLElement {
  const button = h("button", { type: "button", class: "copy", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Without permission the text can still be selected.
      getSelection()?.selectAllChildren(code);
    }
  } }, "Copy");
  const code = h("code", {}, text);
  return h("div", { class: "command" }, code, button);
}

/** A point as on the command line. */
export const at = (point: readonly number[]) => point.map((v) => (Math.round(v * 100) / 100 + 0).toFixed(2)).join(",");
