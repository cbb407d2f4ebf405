import { describe, expect, it } from "vitest";
import { mayDelete, mayManage, maySetFlags } from "./roles.server";

const person = (id: string, role: "customer" | "manager" | "admin") => ({
  id,
  isAdmin: role === "admin",
  isManager: role === "manager",
  isUser: true,
});
const [customer, manager, admin] = [person("c", "customer"), person("m", "manager"), person("a", "admin")];
const [otherManager, otherAdmin] = [person("m2", "manager"), person("a2", "admin")];

describe("roles", () => {
  it("people manage themselves, managers customers, admins everyone", () => {
    expect(mayManage(customer, customer)).toBe(true);
    expect(mayManage(customer, manager)).toBe(false);
    expect(mayManage(manager, customer)).toBe(true);
    expect([mayManage(manager, otherManager), mayManage(manager, admin)]).toEqual([false, false]);
    expect([mayManage(admin, manager), mayManage(admin, otherAdmin)]).toEqual([true, true]);
  });

  it("allows flags that stay the same", () => {
    expect(maySetFlags(customer, customer, { isAdmin: false, isManager: false, isUser: true })).toBe(true);
    expect(maySetFlags(admin, admin, { isAdmin: true, isUser: true })).toBe(true);
  });

  it("only admins give and take roles; managers switch customers off", () => {
    expect(maySetFlags(manager, customer, { isManager: true })).toBe(false);
    expect(maySetFlags(manager, customer, { isUser: false })).toBe(true);
    expect(maySetFlags(admin, customer, { isAdmin: true })).toBe(true);
    expect(maySetFlags(admin, otherAdmin, { isAdmin: false })).toBe(true);
  });

  it("rejects flags of accounts that the actor may not manage", () => {
    for (const target of [otherManager, admin])
      for (const flags of [{ isUser: false }, { isUser: true }, {}])
        expect(maySetFlags(manager, target, flags)).toBe(false);
    expect(maySetFlags(customer, manager, {})).toBe(false);
  });

  it("nobody removes their own admin flag or deactivates themselves", () => {
    for (const who of [customer, manager, admin])
      expect(maySetFlags(who, who, { isUser: false })).toBe(false);
    expect(maySetFlags(admin, admin, { isAdmin: false })).toBe(false);
  });

  it("admins are never deleted, nobody deletes themselves", () => {
    expect(mayDelete(admin, otherAdmin)).toBe(false);
    expect(mayDelete(manager, manager)).toBe(false);
    expect([mayDelete(admin, manager), mayDelete(manager, customer)]).toEqual([true, true]);
    expect(mayDelete(manager, otherManager)).toBe(false);
  });
});
