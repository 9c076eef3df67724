//! The same law by a second method: every stone integrated in short steps (Runge and Kutta), contacts
//! found by looking, impulses by the formula for two stones.

use super::Boards;
use crate::board::{Board, STONES};
use crate::physics::friction::{C1, C2, C3, CURL, GRAVITY};
use crate::release::Release;

const STEP: f64 = 1e-3;

#[derive(Clone, Copy, Default)]
pub(super) struct Ball {
    /// x, y, vx, vy in shot coordinates, spin.
    pub(super) at: [f64; 5],
    pub(super) live: bool,
}

fn derivative(at: [f64; 5]) -> [f64; 5] {
    let [_, _, vx, vy, w] = at;
    let v = vx.hypot(vy);
    if v < 1e-9 {
        return [0.0; 5];
    }
    let slow = (C1 / (v + C2) + C3) * GRAVITY;
    let side = if w == 0.0 { 0.0 } else { w.signum() };
    let yaw = side * CURL * libm::pow(v, -0.8);
    let loss = 0.025 / v.max(0.001);
    [
        vx,
        vy,
        -slow * vx / v - yaw * vy,
        -slow * vy / v + yaw * vx,
        -side * loss,
    ]
}

fn moved(at: [f64; 5], step: f64) -> [f64; 5] {
    let add = |a: [f64; 5], b: [f64; 5], s: f64| std::array::from_fn(|i| a[i] + s * b[i]);
    let k1 = derivative(at);
    let k2 = derivative(add(at, k1, 0.5 * step));
    let k3 = derivative(add(at, k2, 0.5 * step));
    let k4 = derivative(add(at, k3, step));
    let mut next: [f64; 5] =
        std::array::from_fn(|i| at[i] + step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    if at[4] * next[4] < 0.0 {
        next[4] = 0.0;
    }
    // At a crawl a step may carry it through rest.
    if next[2] * at[2] + next[3] * at[3] <= 0.0 || next[2].hypot(next[3]) < 4e-5 {
        next[2] = 0.0;
        next[3] = 0.0;
        next[4] = 0.0;
    }
    next
}

fn gap(a: &Ball, b: &Ball) -> f64 {
    (a.at[0] - b.at[0]).hypot(a.at[1] - b.at[1]) - 0.29
}

/// Physics, section 2: the normal parts swap; friction sticks up to 0.2 of the normal impulse.
fn push(a: &mut Ball, b: &mut Ball) {
    let (dx, dy) = (b.at[0] - a.at[0], b.at[1] - a.at[1]);
    let d = dx.hypot(dy);
    let (nx, ny) = (dx / d, dy / d);
    let (rx, ry) = (b.at[2] - a.at[2], b.at[3] - a.at[3]);
    let closing = rx * nx + ry * ny;
    let jn = -closing;
    let arm = d / 2.0;
    let slip = rx * ny - ry * nx + arm * (a.at[4] + b.at[4]);
    let effective = 1.0 / (2.0 + 2.0 * arm * arm * 2.0 / (0.145 * 0.145));
    let jt = (-effective * slip).clamp(-0.2 * jn, 0.2 * jn);
    let (px, py) = (jn * nx + jt * ny, jn * ny - jt * nx);
    a.at[2] -= px;
    a.at[3] -= py;
    b.at[2] += px;
    b.at[3] += py;
    let torque = arm * jt * 2.0 / (0.145 * 0.145);
    a.at[4] += torque;
    b.at[4] += torque;
}

/// Throws, with `delay` between touch and push; where the stones come to rest, and the contacts.
pub(super) fn throw(board: &Board, thrown: usize, release: Release, delay: f64) -> (Boards, u32) {
    let mut balls = [Ball::default(); STONES];
    for (stone, p) in board.stones() {
        balls[stone.index()] = Ball {
            at: [p.x.into(), p.y.into(), 0.0, 0.0, 0.0],
            live: true,
        };
    }
    balls[thrown] = Ball {
        at: [0.0, 0.0, release.vx, release.vy, release.omega],
        live: true,
    };
    let mut contacts = 0;
    while balls.iter().any(|b| b.live && b.at[2].hypot(b.at[3]) > 0.0) {
        let slow = balls
            .iter()
            .filter(|b| b.live && b.at[2].hypot(b.at[3]) > 0.0)
            .map(|b| b.at[2].hypot(b.at[3]))
            .fold(f64::INFINITY, f64::min);
        let step = if slow < 0.1 { STEP / 20.0 } else { STEP };
        let mut next = balls;
        for ball in next.iter_mut().filter(|b| b.live) {
            ball.at = moved(ball.at, step);
        }
        match first_touch(&balls, &next) {
            None => balls = next,
            Some((a, b)) => {
                let (mut low, mut high) = (0.0, step);
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    let mut trial = [balls[a], balls[b]];
                    for ball in &mut trial {
                        ball.at = moved(ball.at, middle);
                    }
                    if gap(&trial[0], &trial[1]) > 0.0 {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                for ball in balls.iter_mut().filter(|b| b.live) {
                    ball.at = moved(moved(ball.at, high), delay);
                }
                let mut pair = [balls[a], balls[b]];
                let [p, q] = &mut pair;
                push(p, q);
                (balls[a], balls[b]) = (pair[0], pair[1]);
                contacts += 1;
            }
        }
        for ball in balls.iter_mut().filter(|b| b.live) {
            let [x, y, ..] = ball.at;
            ball.live = x.abs() + 0.145 < 2.375 && y - 0.145 < 40.234 && y - 0.145 > -1.829;
        }
    }
    let at_rest = balls.map(|b| (b.live && b.at[1] - 0.145 > 32.004).then_some([b.at[0], b.at[1]]));
    (at_rest, contacts)
}

fn first_touch(now: &[Ball; STONES], next: &[Ball; STONES]) -> Option<(usize, usize)> {
    for a in 0..STONES {
        for b in a + 1..STONES {
            let still = |i: usize| now[i].at[2] == 0.0 && now[i].at[3] == 0.0;
            if !now[a].live || !now[b].live || still(a) && still(b) {
                continue;
            }
            let after = gap(&next[a], &next[b]);
            if after < 0.0 && after < gap(&now[a], &now[b]) {
                return Some((a, b));
            }
        }
    }
    None
}
